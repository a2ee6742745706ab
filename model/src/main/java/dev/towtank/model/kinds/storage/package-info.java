/// The kinds of `storage.k8s.io/v1`: how volumes come to be.
@NullMarked
package dev.towtank.model.kinds.storage;

import org.jspecify.annotations.NullMarked;
