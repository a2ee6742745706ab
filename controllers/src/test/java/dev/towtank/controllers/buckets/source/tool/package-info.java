@NullMarked
package dev.towtank.controllers.buckets.source.tool;

import org.jspecify.annotations.NullMarked;
