/// Reads objects that clients send as protobuf.
@NullMarked
package dev.towtank.model.protobuf;

import org.jspecify.annotations.NullMarked;
