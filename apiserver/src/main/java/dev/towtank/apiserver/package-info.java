/// The Kubernetes API: a request passes authentication, RBAC and admission to the registry, store and watch.
/// Jetty stays in its `http` package and the storage engine in its `store` package.
@NullMarked
package dev.towtank.apiserver;

import org.jspecify.annotations.NullMarked;
