package dev.towtank.apiserver.admission;

import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.BuiltinKinds;
import java.util.List;

/// What features do not take of built-in kinds. What they do to their own kinds goes with those.
public final class FeatureRules implements Admission {

    private final List<KindBehaviour> behaviours;

    public FeatureRules(List<KindBehaviour> behaviours) {
        this.behaviours =
                behaviours.stream().filter(FeatureRules::isOfBuiltinKind).toList();
    }

    private static boolean isOfBuiltinKind(KindBehaviour behaviour) {
        return BuiltinKinds.ALL.stream()
                .anyMatch(kind ->
                        kind.group().equals(behaviour.group()) && kind.kind().equals(behaviour.kind()));
    }

    @Override
    public void check(Review review) {
        var object = review.object();
        if (object == null) {
            return;
        }
        for (var behaviour : behaviours) {
            if (review.isWholeObject(behaviour.group(), behaviour.kind())) {
                behaviour.refusal(object, review.old()).ifPresent(refusal -> {
                    throw refusal;
                });
            }
        }
    }
}
