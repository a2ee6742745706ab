@NullMarked
package dev.towtank.controllers.buckets.source;

import org.jspecify.annotations.NullMarked;
