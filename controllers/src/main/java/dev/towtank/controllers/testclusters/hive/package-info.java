/// Hive's kinds: deployments of clusters, pools of them, and claims on pools.
@NullMarked
package dev.towtank.controllers.testclusters.hive;

import org.jspecify.annotations.NullMarked;
