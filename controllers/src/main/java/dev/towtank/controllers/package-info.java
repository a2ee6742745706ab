/// What Towtank does beyond Kubernetes, one package per feature: pure functions from resources to changes.
/// Siblings see only each other's `api` package; only `source` packages do I/O.
@NullMarked
package dev.towtank.controllers;

import org.jspecify.annotations.NullMarked;
