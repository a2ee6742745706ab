/// The kinds of the group `admissionregistration.k8s.io`, and the expressions that they contain.
@NullMarked
package dev.towtank.model.kinds.admissionregistration;

import org.jspecify.annotations.NullMarked;
