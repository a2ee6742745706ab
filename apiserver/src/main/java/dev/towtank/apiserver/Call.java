package dev.towtank.apiserver;

import dev.towtank.model.LogicalCluster;

/// One request to the API, whether it came over the network or from inside the process.
///
/// @param agent the program that makes the request; fields that are written belong to it unless it names another owner
public record Call(
        User user, LogicalCluster cluster, Verb verb, Target target, Params params, Body body, String agent) {

    public Call(User user, LogicalCluster cluster, Verb verb, Target target, Params params, Body body) {
        this(user, cluster, verb, target, params, body, "");
    }

    public boolean isDryRun() {
        return !params.all("dryRun").isEmpty();
    }

    public Call withTarget(Target other) {
        return new Call(user, cluster, verb, other, params, body, agent);
    }

    /// Who owns the fields that this request writes.
    public String fieldManager() {
        var named = params.text("fieldManager");
        return named.isEmpty() ? agent : named;
    }
}
