/// What an image name means on a machine that pulls no images: which root, which shell, which entrypoint.
@NullMarked
package dev.towtank.node.images;

import org.jspecify.annotations.NullMarked;
