/// Kustomize: objects composed of files, without templates and without the kustomize program.
///
/// Files come in as a tree, objects go out; nothing is read that is not in the tree. What is not supported is refused
/// by
/// name.
@NullMarked
package dev.towtank.model.kustomize;

import org.jspecify.annotations.NullMarked;
