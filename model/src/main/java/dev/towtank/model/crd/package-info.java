/// Kinds that users define: CustomResourceDefinitions, and what their schemas ask of objects.
///
/// [CustomResourceDefinitions] is the kind itself with its rules; [CrdStatus] decides whether its names are accepted;
/// [CrdKinds] makes a kind of each served version. A [CompiledSchema] prunes, defaults and validates objects.
@NullMarked
package dev.towtank.model.crd;

import org.jspecify.annotations.NullMarked;
