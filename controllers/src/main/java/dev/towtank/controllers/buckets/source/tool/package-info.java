/// A small `aws` for pods of a machine that has none: a program of its own, which needs this jar and nothing else.
@NullMarked
package dev.towtank.controllers.buckets.source.tool;

import org.jspecify.annotations.NullMarked;
