package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.auth.Authorizer;
import dev.towtank.apiserver.auth.Forbidden;
import dev.towtank.model.Json;

/// Whoever creates an object by applying or replacing one that is not there needs the right to create, too.
///
/// Before the object was looked for, nobody could know: the request itself was authorized as a patch or an update. This
/// rule belongs first, so that others tell nothing about the cluster to users who may not create.
public final class CreateAuthorization implements Admission {

    private final Authorizer authorizer;

    public CreateAuthorization(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        var call = review.call();
        boolean turnedIntoCreate = review.operation() == Review.Operation.CREATE
                && (call.verb() == Verb.PATCH || call.verb() == Verb.UPDATE);
        if (turnedIntoCreate) {
            var asked = call.target();
            var target = new Target(
                    asked.group(),
                    asked.version(),
                    asked.resource(),
                    review.namespace(),
                    review.name(),
                    asked.subresource());
            var attempt = new Authorizer.OnResource(call.user(), call.cluster(), "create", target);
            var decision = authorizer.decide(attempt);
            if (!decision.allowed()) {
                throw Forbidden.error(attempt, decision.reason());
            }
        }
        return object;
    }
}
