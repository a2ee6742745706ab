/// Files as a value: what a chart or a kustomization is made of, wherever it was read from.
@NullMarked
package dev.towtank.model.files;

import org.jspecify.annotations.NullMarked;
