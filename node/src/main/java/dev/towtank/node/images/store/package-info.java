/// Images on this machine: each layer unpacked once, and what an image is made of.
@NullMarked
package dev.towtank.node.images.store;

import org.jspecify.annotations.NullMarked;
