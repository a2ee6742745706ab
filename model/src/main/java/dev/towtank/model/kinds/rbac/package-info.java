/// The kinds of `rbac.authorization.k8s.io/v1`: who may do what.
@NullMarked
package dev.towtank.model.kinds.rbac;

import org.jspecify.annotations.NullMarked;
