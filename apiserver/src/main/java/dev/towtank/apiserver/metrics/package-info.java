/// What the server counts and times, in the names that dashboards for kube-apiserver use.
@NullMarked
package dev.towtank.apiserver.metrics;

import org.jspecify.annotations.NullMarked;
