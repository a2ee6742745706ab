/// Cluster templates, their instances and quotas.
@NullMarked
package dev.towtank.controllers.testclusters.templates;

import org.jspecify.annotations.NullMarked;
