package dev.towtank.apiserver.view;

import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.WatchStream;
import dev.towtank.apiserver.WatchStream.Event;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.StatusError;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// The events of watches as text, one JSON document per line.
///
/// A change goes to every watcher of its kind, nearly all of which want plain JSON: its frame is made once and shared.
/// What was made last is remembered, keyed by the identity of the object; small frames only, so that the memory held
/// is bounded.
public final class Frames {

    private static final int SLOTS = 512;
    private static final int LARGEST_SHARED = 16 * 1024;
    private static final byte[] END = "}\n".getBytes(StandardCharsets.US_ASCII);

    private record Made(WatchStream.Type type, Content object, Shared frame) {}

    // A record must not have an array as component.
    private static final class Shared {
        private final byte[] bytes;

        Shared(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    private final AtomicReferenceArray<Made> recent = new AtomicReferenceArray<>(SLOTS);

    /// Shared: nobody may write into it.
    public byte[] plain(Event event) {
        int slot = System.identityHashCode(event.object()) & (SLOTS - 1);
        var made = recent.get(slot);
        if (made != null && made.object.equals(event.object()) && made.type == event.type()) {
            return made.frame.bytes;
        }
        var frame = frame(event.type().name(), event.object().bytes());
        if (frame.length <= LARGEST_SHARED) {
            recent.set(slot, new Made(event.type(), event.object(), new Shared(frame)));
        }
        return frame;
    }

    /// @param first whether this is the first event of its watch, which carries the columns of a table
    public byte[] of(Rendering rendering, InstantSource clock, Kind<?> kind, Event event, boolean first) {
        if (rendering.form().isStored()) {
            return plain(event);
        }
        var shaped = rendering.at(clock.instant()).shaped(kind, event.object(), first);
        return frame(event.type().name(), JsonText.bytes(shaped));
    }

    /// The last event of a watch that cannot go on.
    public static byte[] error(StatusError error) {
        return frame("ERROR", JsonText.bytes(error.toJson()));
    }

    private static byte[] frame(String type, byte[] object) {
        var head = ("{\"type\":" + Json.of(type) + ",\"object\":").getBytes(StandardCharsets.US_ASCII);
        var frame = new byte[head.length + object.length + END.length];
        System.arraycopy(head, 0, frame, 0, head.length);
        System.arraycopy(object, 0, frame, head.length, object.length);
        System.arraycopy(END, 0, frame, head.length + object.length, END.length);
        return frame;
    }
}
