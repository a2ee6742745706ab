@NullMarked
package dev.towtank.controllers.buckets.s3;

import org.jspecify.annotations.NullMarked;
