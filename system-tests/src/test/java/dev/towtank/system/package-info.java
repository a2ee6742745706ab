/// Tests of the whole: the walls between modules, the documents, and the program as its users meet it.
@NullMarked
package dev.towtank.system;

import org.jspecify.annotations.NullMarked;
