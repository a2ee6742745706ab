package dev.towtank.app.applications;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How two states of an object differ, as lines of YAML. What a Secret holds is not shown.
public final class ObjectDiff {

    private static final int AROUND = 3;
    private static final int LONGEST = 4_000;

    private ObjectDiff() {}

    /// Empty where they are alike.
    ///
    /// @param before empty for what is new
    /// @param after empty for what goes
    public static List<String> of(ResourceKey key, Optional<Json.Obj> before, Optional<Json.Obj> after) {
        var old = before.map(each -> lines(each, after, "before")).orElse(List.of());
        var young = after.map(each -> lines(each, before, "after")).orElse(List.of());
        if (old.equals(young)) {
            return List.of();
        }
        var all = new ArrayList<String>();
        all.add("===== " + (key.group().isEmpty() ? "" : key.group() + "/") + key.kind() + " "
                + (key.namespace().isEmpty() ? "" : key.namespace() + "/") + key.name()
                + (before.isEmpty() ? "  (new)" : after.isEmpty() ? "  (goes)" : ""));
        all.addAll(compared(old, young));
        return all;
    }

    private static List<String> lines(Json.Obj object, Optional<Json.Obj> other, String side) {
        var shown = object;
        if (object.string("kind").equals("Secret")) {
            for (var field : List.of("data", "stringData")) {
                shown = hidden(shown, other.map(each -> each.object(field)).orElse(Json.Obj.EMPTY), field, side);
            }
        }
        return YamlText.write(shown).lines().toList();
    }

    private static Json.Obj hidden(Json.Obj object, Json.Obj other, String field, String side) {
        if (!object.has(field)) {
            return object;
        }
        var values = Json.Obj.builder();
        object.object(field).forEach((name, value) -> {
            boolean isSame = value.equals(other.get(name));
            values.put(name, isSame || !other.has(name) ? "(hidden)" : "(hidden, " + side + ")");
        });
        return object.with(field, values.build());
    }

    /// The longest common subsequence, line by line.
    private static List<String> compared(List<String> old, List<String> young) {
        if (old.size() > LONGEST || young.size() > LONGEST) {
            return List.of(
                    "  (too long to be compared line by line: " + old.size() + " and " + young.size() + " lines)");
        }
        var common = new int[old.size() + 1][young.size() + 1];
        for (int i = old.size() - 1; i >= 0; i--) {
            for (int j = young.size() - 1; j >= 0; j--) {
                common[i][j] = old.get(i).equals(young.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        var all = new ArrayList<String>();
        int i = 0;
        int j = 0;
        while (i < old.size() || j < young.size()) {
            if (i < old.size() && j < young.size() && old.get(i).equals(young.get(j))) {
                all.add("  " + old.get(i));
                i++;
                j++;
            } else if (j == young.size() || (i < old.size() && common[i + 1][j] >= common[i][j + 1])) {
                all.add("- " + old.get(i++));
            } else {
                all.add("+ " + young.get(j++));
            }
        }
        return nearby(all);
    }

    /// Only what changed, with what is around it.
    private static List<String> nearby(List<String> all) {
        var near = new ArrayList<String>();
        boolean hasGap = false;
        for (int i = 0; i < all.size(); i++) {
            boolean isNear = false;
            for (int k = Math.max(0, i - AROUND); k <= Math.min(all.size() - 1, i + AROUND); k++) {
                isNear |= !all.get(k).startsWith("  ");
            }
            if (isNear) {
                near.add(all.get(i));
            } else if (!hasGap) {
                near.add("  ...");
            }
            hasGap = !isNear;
        }
        return near;
    }
}
