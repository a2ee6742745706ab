/// The one web door: how features answer requests over HTTP that are no calls of the Kubernetes API, without knowing
/// what
/// serves them.
@NullMarked
package dev.towtank.cluster.web;

import org.jspecify.annotations.NullMarked;
