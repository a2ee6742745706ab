/// Where the program begins, and the server for those who embed one. The only module that sees all the others.
@NullMarked
package dev.towtank.app;

import org.jspecify.annotations.NullMarked;
