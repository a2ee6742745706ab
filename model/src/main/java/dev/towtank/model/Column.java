package dev.towtank.model;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;

/// A column of `kubectl get`: its heading, and the cell of an object at a moment.
///
/// @param priority 0 is always shown, more only with `-o wide`
public record Column(String name, String type, String format, String description, int priority, Cell cell) {

    @FunctionalInterface
    public interface Cell {
        Json of(Json.Obj object, Instant now);
    }

    public static Column of(String name, String type, Cell cell) {
        return new Column(name, type, "", Words.of(name), 0, cell);
    }

    /// A text column.
    public static Column text(String name, Cell cell) {
        return of(name, "string", cell);
    }

    /// A text column that shows what stands at a path, or an empty cell.
    public static Column path(String name, String... path) {
        return text(name, (object, _) -> {
            var value = object.at(path);
            return value == null ? Json.of("") : Json.of(value.display());
        });
    }

    /// The first column of nearly every kind.
    public static Column ofName() {
        return new Column(
                "Name",
                "string",
                "name",
                Words.of("Name"),
                0,
                (object, _) -> Json.of(object.string("metadata", "name")));
    }

    /// How long ago the object was created.
    public static Column ofAge() {
        return text("Age", (object, now) -> Json.of(age(object.string("metadata", "creationTimestamp"), now)));
    }

    public Column wide() {
        return new Column(name, type, format, description, 1, cell);
    }

    /// Also without `-o wide`.
    public Column always() {
        return new Column(name, type, format, description, 0, cell);
    }

    public Column describedAs(String text) {
        return new Column(name, type, format, text, priority, cell);
    }

    /// The time since a timestamp as kubectl writes it, or `<unknown>`.
    public static String age(String timestamp, Instant now) {
        if (timestamp.isEmpty()) {
            return "<unknown>";
        }
        try {
            return humanDuration(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeParseException e) {
            return "<invalid>";
        }
    }

    /// Two units at most, and the smaller one only while it matters: `45s`, `3m20s`, `5h`, `2d4h`, `400d`, `3y120d`.
    public static String humanDuration(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 0) {
            return "0s";
        }
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return pair(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return pair(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = hours / 24;
        if (hours < 192) {
            return pair(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        if (days < 2920) {
            return pair(days / 365, "y", days % 365, "d");
        }
        return days / 365 + "y";
    }

    private static String pair(long big, String bigUnit, long small, String smallUnit) {
        return small == 0 ? big + bigUnit : big + bigUnit + small + smallUnit;
    }

    /// What the columns of built-in kinds show, in our own words.
    private static final class Words {
        private static final Map<String, String> WORDS = read("""
                Name | What the object is called: one of its kind in a namespace, or in the whole cluster where it is in none.
                Age | How long ago it was created.
                Status | What state it is in.
                Ready | How many of its parts are ready, of how many.
                Type | What sort of object of its kind it is.
                Selector | The labels of the pods that belong to it.
                Desired | How many pods there are to be.
                Current | How many pods there are.
                Up-to-date | How many pods are of the newest template.
                Available | How many pods have been ready long enough to be counted on.
                Replicas | How many pods there are.
                Restarts | How often its containers were started again, and when last.
                IP | The address of the pod.
                Node | The node that it runs on.
                Nominated Node | The node on which room is being made for it.
                Readiness Gates | How many of the conditions that it waits for are true, of how many.
                Containers | The names of the containers of its pods.
                Images | The images of the containers of its pods.
                Completions | How many pods have succeeded, of how many that are wanted.
                Duration | How long it ran, or has been running.
                Schedule | When it starts, as cron writes it.
                Timezone | The zone in which its schedule is meant.
                Suspend | Whether nothing is started for now.
                Active | How many are running.
                Last Schedule | How long ago it last started.
                Cluster-IP | The address at which it is reached inside of the cluster.
                External-IP | The addresses at which it is reached from outside.
                Internal-IP | The address at which it is reached from other nodes.
                Port(s) | The ports at which it is reached.
                Endpoints | The addresses behind it.
                Address | The addresses at which it is reached.
                AddressType | Of what family its addresses are.
                Hosts | The names of hosts that it answers for.
                Class | Which controller serves it.
                Controller | The controller that serves it.
                Parameters | Where its settings are.
                Pod Labels | The labels of the pods that it is about.
                Node Selector | The labels of the nodes on which it runs.
                Roles | What the node is for.
                Version | The version of the program on the node.
                OS-Image | The operating system of the node.
                Kernel-Version | The version of the node's kernel.
                Container-Runtime | What runs containers on the node, and its version.
                Volume | The volume that it is bound to.
                VolumeMode | Whether it is a file system or a device.
                Capacity | How much it holds.
                Access Modes | How many may use it, and for what.
                Reclaim Policy | What becomes of the volume when nobody claims it any more.
                ReclaimPolicy | What becomes of a volume when nobody claims it any more.
                StorageClass | The class of storage that it is of.
                Provisioner | Who makes volumes of this class.
                VolumeBindingMode | When volumes of this class are bound.
                AllowVolumeExpansion | Whether volumes of this class can grow.
                Claim | The claim that it is bound to.
                Reason | In one word, why it is as it is.
                Message | What happened, in words.
                Object | What it is about.
                Subobject | The part of the object that it is about.
                Source | Who told it.
                Count | How often it happened.
                First Seen | How long ago it happened first.
                Last Seen | How long ago it happened last.
                Min Available | How many pods have to stay, as a number or a share.
                Max Unavailable | How many pods may be missing, as a number or a share.
                Allowed Disruptions | How many pods may be evicted now.
                Reference | What it scales.
                Targets | What is measured, and what it is to be.
                MinPods | How many pods there are at least.
                MaxPods | How many pods there are at most.
                Data | How many entries it has.
                Secrets | How many Secrets it names.
                Request | What is used, of how much may be asked for.
                Limit | What is used, of how much may be reached.
                Role | The role that is granted.
                Users | Users who are granted it.
                Groups | Groups that are granted it.
                ServiceAccounts | Accounts that are granted it.
                Holder | Who holds it.
                Value | How important pods of this class are.
                Global-Default | Whether pods that name no class are of this one.
                PreemptionPolicy | Whether pods of this class may push others out.
                Revision | Which revision it is.
                Webhooks | How many webhooks it has.
                Validations | How many expressions it checks.
                ParamKind | Of what kind its parameters are.
                ParamRef | The parameters that are used.
                PolicyName | The policy that is bound.
                Service | Who answers for this version.
                """);

        private static Map<String, String> read(String lines) {
            var words = new HashMap<String, String>();
            lines.lines().forEach(line -> {
                int bar = line.indexOf('|');
                words.put(
                        line.substring(0, bar).strip(), line.substring(bar + 1).strip());
            });
            return Map.copyOf(words);
        }

        /// Empty for columns that nobody has described.
        static String of(String column) {
            return WORDS.getOrDefault(column, "");
        }
    }
}
