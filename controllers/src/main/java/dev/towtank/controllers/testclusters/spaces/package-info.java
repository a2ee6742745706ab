/// Places for tenants: a namespace with its limits and an account, and the Secret by which they come in.
@NullMarked
package dev.towtank.controllers.testclusters.spaces;

import org.jspecify.annotations.NullMarked;
