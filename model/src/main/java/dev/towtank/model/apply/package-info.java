/// Server-side apply: who owns which field, and what becomes of an object when one of the owners applies
/// its part.
///
/// Everything here is a pure function on trees. A [dev.towtank.model.apply.Shape] says how a type's maps
/// and lists merge, [dev.towtank.model.apply.Versions] how an object looks in other versions of its kind;
/// a [dev.towtank.model.apply.FieldSet] is a set of paths into an object;
/// [dev.towtank.model.apply.Owners] are the owners of an object with the fields of each;
/// [dev.towtank.model.apply.Ownership] is what an update and an apply do.
@NullMarked
package dev.towtank.model.apply;

import org.jspecify.annotations.NullMarked;
