/// Go's text/template in pure Java: lexer, parser and executor, with Go's rules for values and Go's words for errors.
///
/// [GoTemplate] is the way in. Values are Java objects that stand for Go's: `null` is nil, `Boolean` bool, `Long` int,
/// `Double` float64, `String` string, `Map` and `List` what their names say; whatever needs more is a
/// [SizedInteger], a [TypedMap], a [TypedList] or a [GoObject]. Functions come in as a
/// [Functions]; there is no reflection, so a template reaches nothing but what it was given.
@NullMarked
package dev.towtank.model.template;

import org.jspecify.annotations.NullMarked;
