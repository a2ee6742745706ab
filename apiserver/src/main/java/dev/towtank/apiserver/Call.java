package dev.towtank.apiserver;

import dev.towtank.model.LogicalCluster;
import java.util.HashMap;
import java.util.List;

/// One request to the API, whether it came over the network or from inside the process.
///
/// @param agent the program that makes the request; fields that are written belong to it unless it names another owner
/// @param notes what is decided about it on its way
public record Call(
        User user,
        LogicalCluster cluster,
        Verb verb,
        Target target,
        Params params,
        Body body,
        String agent,
        Notes notes) {

    /// A call of which whoever made it keeps no record.
    public Call(User user, LogicalCluster cluster, Verb verb, Target target, Params params, Body body) {
        this(user, cluster, verb, target, params, body, "", Notes.NONE);
    }

    public boolean isDryRun() {
        return !params.all("dryRun").isEmpty();
    }

    /// The same call with another value for a parameter.
    public Call withParam(String name, List<String> values) {
        var all = new HashMap<>(params.values());
        all.put(name, values);
        return new Call(user, cluster, verb, target, new Params(all), body, agent, notes);
    }

    /// The same call about something else.
    public Call withTarget(Target other) {
        return new Call(user, cluster, verb, other, params, body, agent, notes);
    }

    public Call withNotes(Notes others) {
        return new Call(user, cluster, verb, target, params, body, agent, others);
    }

    /// Who owns the fields that this request writes.
    public String fieldManager() {
        var named = params.text("fieldManager");
        return named.isEmpty() ? agent : named;
    }
}
