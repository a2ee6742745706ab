/// Asks webhooks about requests: mutating ones while the object is made, validating ones when it is ready.
///
/// A [Webhook][dev.towtank.apiserver.admission.webhooks.Webhook] is what a configuration says,
/// [WebhookCalls][dev.towtank.apiserver.admission.webhooks.WebhookCalls] puts the question, and a
/// [Reply][dev.towtank.apiserver.admission.webhooks.Reply] is what comes back.
@NullMarked
package dev.towtank.apiserver.admission.webhooks;

import org.jspecify.annotations.NullMarked;
