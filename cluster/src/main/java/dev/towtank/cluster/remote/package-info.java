/// A Kubernetes elsewhere, reached through its API. The only package that knows fabric8, of which it uses what reads a
/// kubeconfig, authenticates and speaks HTTP; objects stay our own trees, so that no field is lost.
@NullMarked
package dev.towtank.cluster.remote;

import org.jspecify.annotations.NullMarked;
