/// What NetworkPolicies mean for the pods of this node: who may talk with whom, and the kernel's rules for it; pure.
@NullMarked
package dev.towtank.node.network.policy;

import org.jspecify.annotations.NullMarked;
