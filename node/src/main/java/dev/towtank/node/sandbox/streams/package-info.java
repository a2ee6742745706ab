/// What containers read and write, pumped by threads that end with them.
@NullMarked
package dev.towtank.node.sandbox.streams;

import org.jspecify.annotations.NullMarked;
