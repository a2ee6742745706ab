package dev.towtank.apiserver.server;

import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.auth.AccessReviews;
import dev.towtank.apiserver.auth.IdentityReviews;
import dev.towtank.apiserver.auth.ObjectLookup;
import dev.towtank.apiserver.auth.TokenRequests;
import dev.towtank.apiserver.registry.Registry;
import dev.towtank.apiserver.store.Key;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/// Objects that ask who somebody is and what they may do, each with its answer.
final class Questions {

    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final String AUTHORIZATION = "authorization.k8s.io";
    private static final GroupResource SERVICE_ACCOUNTS = new GroupResource("", "serviceaccounts");

    private Questions() {}

    static Map<GroupResource, Registry.Questions> answers(
            AccessReviews access,
            IdentityReviews identity,
            TokenRequests tokens,
            ObjectLookup objects,
            InstantSource clock) {
        var answers = new HashMap<GroupResource, Registry.Questions>();
        answers.put(
                new GroupResource(AUTHENTICATION, "tokenreviews"),
                (call, review) -> identity.tokenReview(call.cluster(), review));
        answers.put(
                new GroupResource(AUTHENTICATION, "selfsubjectreviews"),
                (call, _) -> IdentityReviews.selfSubjectReview(call.user(), clock.instant()));
        answers.put(
                new GroupResource(AUTHORIZATION, "subjectaccessreviews"),
                (call, review) -> access.subjectAccessReview(call.cluster(), review));
        answers.put(
                new GroupResource(AUTHORIZATION, "selfsubjectaccessreviews"),
                (call, review) -> access.selfSubjectAccessReview(call.user(), call.cluster(), review));
        answers.put(
                new GroupResource(AUTHORIZATION, "localsubjectaccessreviews"),
                (call, review) -> access.localSubjectAccessReview(
                        call.cluster(), call.target().namespace(), review));
        answers.put(
                new GroupResource(AUTHORIZATION, "selfsubjectrulesreviews"),
                (call, review) -> access.selfSubjectRulesReview(call.user(), call.cluster(), review));
        answers.put(
                new GroupResource("", "serviceaccounts/token"),
                (call, request) -> tokens.issue(call.cluster(), serviceAccount(call, objects), request));
        return answers;
    }

    private static Json.Obj serviceAccount(Call call, ObjectLookup objects) {
        var target = call.target();
        var found = objects.find(new Key(SERVICE_ACCOUNTS, call.cluster(), target.namespace(), target.name()));
        if (found == null) {
            throw StatusError.notFound(SERVICE_ACCOUNTS, target.name());
        }
        return found;
    }
}
