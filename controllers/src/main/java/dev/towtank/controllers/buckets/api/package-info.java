/// The kinds of claimed buckets, and the names by which others find what a claim gives.
@NullMarked
package dev.towtank.controllers.buckets.api;

import org.jspecify.annotations.NullMarked;
