/// Checks requests against ValidatingAdmissionPolicies.
///
/// A [Policy][dev.towtank.apiserver.admission.policy.Policy] is compiled once and decides by itself; which of them are
/// asked, with which parameters, and what becomes of their answers is the matter of
/// [ValidatingPolicies][dev.towtank.apiserver.admission.policy.ValidatingPolicies].
@NullMarked
package dev.towtank.apiserver.admission.policy;

import org.jspecify.annotations.NullMarked;
