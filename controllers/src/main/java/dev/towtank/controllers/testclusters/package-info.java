/// Test clusters for those who ask for one: Hive's kinds, fulfilled by logical clusters of this server, and the
/// templates
/// and instances by which tenants get one without seeing what it is made of.
@NullMarked
package dev.towtank.controllers.testclusters;

import org.jspecify.annotations.NullMarked;
