package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.auth.Authorizer.OnResource;

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
        var attempt = new OnResource(call.user(), call.cluster(), call.verb().toString(), call.target());
        var decision = authorizer.decide(attempt);
        if (!decision.allowed()) {
            throw Forbidden.error(attempt, decision.reason());
        }
        return api.handle(call);
    }
}
