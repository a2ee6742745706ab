package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/// What came of reading all that an ExternalSecret refers to.
public sealed interface Reading {

    /// @param missing what the provider does not have, where the deletion policy takes that for an answer
    record Values(NavigableMap<String, byte[]> values, List<String> missing) implements Reading {
        public Values {
            missing = List.copyOf(missing);
        }

        /// Values are nobody's business.
        @Override
        public String toString() {
            return "values of " + values.keySet();
        }
    }

    record Failed(String cause) implements Reading {}

    /// An answer is still on its way.
    record Awaited() implements Reading {}

    /// It is not time, and who is asked would have to be asked over a network.
    record NotDue() implements Reading {}

    /// Where values come from.
    interface Sources {
        /// The provider that a reference to a store leads to.
        Provider store(Json.Obj reference);

        /// What a generator makes.
        ///
        /// @param place in the ExternalSecret, for each of them makes something else
        NavigableMap<String, byte[]> generate(Json.Obj reference, String place);
    }

    /// Everything is asked for before the first answer is waited for.
    ///
    /// @param spec of the ExternalSecret
    static Reading of(Json.Obj spec, Sources sources) {
        boolean isAwaited = false;
        var values = new TreeMap<String, byte[]>();
        var missing = new ArrayList<String>();
        boolean mayMiss = !spec.string("target", "deletionPolicy").equals("Retain");
        try {
            var groups = spec.objects("dataFrom");
            for (int i = 0; i < groups.size(); i++) {
                try {
                    values.putAll(group(i, groups.get(i), spec, sources));
                } catch (Calls.Waiting e) {
                    isAwaited = true;
                } catch (ReadProblem e) {
                    note(e, mayMiss, missing, "secret does not exist at provider using spec.dataFrom[" + i + "]");
                }
            }
            var singles = spec.objects("data");
            for (int i = 0; i < singles.size(); i++) {
                var single = singles.get(i);
                var key = single.string("remoteRef", "key");
                try {
                    values.put(single.string("secretKey"), single(single, spec, sources));
                } catch (Calls.Waiting e) {
                    isAwaited = true;
                } catch (ReadProblem e) {
                    note(
                            e.inside("error processing spec.data[%d] (key: %s), err: ".formatted(i, key)),
                            mayMiss,
                            missing,
                            "secret does not exist at provider using spec.dataFrom[%d] (key=%s)".formatted(i, key));
                }
            }
            return isAwaited ? new Awaited() : new Values(values, missing);
        } catch (ReadProblem e) {
            return new Failed(e.text());
        }
    }

    private static void note(ReadProblem problem, boolean mayMiss, List<String> missing, String note) {
        if (!problem.isMissing() || !mayMiss) {
            throw problem;
        }
        missing.add(note);
    }

    private static byte[] single(Json.Obj single, Json.Obj spec, Sources sources) {
        var ref = RemoteRef.of(single.object("remoteRef"));
        return ref.decoding()
                .value(
                        single.string("secretKey"),
                        sources.store(store(single, spec)).value(ref));
    }

    private static NavigableMap<String, byte[]> group(int index, Json.Obj group, Json.Obj spec, Sources sources) {
        var rewrites = group.objects("rewrite");
        if (group.at("sourceRef", "generatorRef") instanceof Json.Obj generator) {
            try {
                var made = sources.generate(generator, "dataFrom[" + index + "]");
                return Keys.arranged(made, rewrites, "");
            } catch (ReadProblem e) {
                throw e.inside("error processing spec.dataFrom[" + index + "].sourceRef.generatorRef, err: ");
            }
        }
        if (group.get("find") instanceof Json.Obj find) {
            try {
                var found = found(sources.store(store(group, spec)), find);
                var arranged = Keys.arranged(found, rewrites, find.string("conversionStrategy"));
                return Decoding.of(find).values(arranged);
            } catch (ReadProblem e) {
                throw e.inside("error processing spec.dataFrom[" + index + "].find, err: ");
            }
        }
        if (!group.has("extract")) {
            return new TreeMap<>();
        }
        try {
            var ref = RemoteRef.of(group.object("extract"));
            var extracted = sources.store(store(group, spec)).values(ref);
            return ref.decoding().values(Keys.arranged(extracted, rewrites, ref.conversion()));
        } catch (ReadProblem e) {
            throw e.inside("error processing spec.dataFrom[" + index + "].extract, err: ");
        }
    }

    private static NavigableMap<String, byte[]> found(Provider provider, Json.Obj find) {
        try {
            return provider.find(find);
        } catch (ReadProblem e) {
            throw e.inside("error getting all secrets: ");
        }
    }

    /// A reference of its own comes before that of the whole.
    private static Json.Obj store(Json.Obj source, Json.Obj spec) {
        return source.at("sourceRef", "storeRef") instanceof Json.Obj own ? own : spec.object("secretStoreRef");
    }
}
