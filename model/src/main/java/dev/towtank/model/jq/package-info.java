/// The language of jq 1.7, as Argo CD's `ignoreDifferences` are written in it.
///
/// Everything of the language is there, functions that call themselves included; nothing of the world is: no files,
/// inputs,
/// environment, modules or clock. Whatever an expression makes costs steps, and it is stopped when they are used up; a
/// bound
/// that was reached cannot be caught. What is not supported is refused by name when the expression is compiled.
@NullMarked
package dev.towtank.model.jq;

import org.jspecify.annotations.NullMarked;
