package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.auth.Authorizer.OnResource;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Optional;

/// Lets a call through to the API only when its user may make it.
public final class AuthorizedApi implements Api {

    private final Authorizer authorizer;
    private final Api api;

    public AuthorizedApi(Authorizer authorizer, Api api) {
        this.authorizer = authorizer;
        this.api = api;
    }

    @Override
    public Answer handle(Call call) {
        authorize(call);
        return api.handle(call);
    }

    @Override
    public Optional<Answer> quickly(Call call) {
        authorize(call);
        return api.quickly(call);
    }

    @Override
    public Optional<List<Answer>> together(List<Call> creations) {
        try {
            creations.forEach(this::authorize);
        } catch (StatusError e) {
            return Optional.empty();
        }
        return api.together(creations);
    }

    @Override
    public void checkAwake(LogicalCluster cluster) {
        api.checkAwake(cluster);
    }

    private void authorize(Call call) {
        var attempt = new OnResource(call.user(), call.cluster(), call.verb().toString(), judged(call.target()));
        var decision = authorizer.decide(attempt);
        decision.note(call.notes());
        if (!decision.allowed()) {
            throw Forbidden.error(attempt, decision.reason());
        }
    }

    // A namespace counts as being in itself, so that a role inside it can allow looking at it.
    private static Target judged(Target target) {
        boolean isNamespace = target.group().isEmpty() && target.resource().equals("namespaces");
        return isNamespace
                ? new Target(
                        "", target.version(), target.resource(), target.name(), target.name(), target.subresource())
                : target;
    }
}
