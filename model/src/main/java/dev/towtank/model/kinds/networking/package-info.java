/// The kinds of `networking.k8s.io/v1`: who may talk to whom, and how traffic comes in.
@NullMarked
package dev.towtank.model.kinds.networking;

import org.jspecify.annotations.NullMarked;
