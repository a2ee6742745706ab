package dev.towtank.apiserver;

import dev.towtank.model.LogicalCluster;

/// One request to the API, whether it came over the network or from inside the process.
public record Call(User user, LogicalCluster cluster, Verb verb, Target target, Params params, Body body) {

    public boolean isDryRun() {
        return !params.all("dryRun").isEmpty();
    }

    public Call withTarget(Target other) {
        return new Call(user, cluster, verb, other, params, body);
    }
}
