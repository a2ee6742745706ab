/// SQL with bound parameters, the two databases that understand it, and the tables of the archive.
///
/// Text of SQL is made of constants only. Whatever a user wrote travels as a parameter.
@NullMarked
package dev.towtank.archive.sql;

import org.jspecify.annotations.NullMarked;
