/// Tests.
@NullMarked
package dev.towtank.cluster.web;

import org.jspecify.annotations.NullMarked;
