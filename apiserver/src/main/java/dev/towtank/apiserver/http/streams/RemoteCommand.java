package dev.towtank.apiserver.http.streams;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// The client's ends of the streams of a command, joined with the command's own.
///
/// @param error takes how the command ended, as a Status
/// @param resizes new sizes of the terminal, each a JSON object
record RemoteCommand(
        InputStream stdin, OutputStream stdout, OutputStream stderr, OutputStream error, InputStream resizes) {

    private static final int LONGEST_RESIZE = 1024;

    /// Runs until the command has ended and the client has all of its output.
    void run(PodAccess.Session session) {
        Thread.startVirtualThread(() -> BytePipe.copy(stdin, session.stdin()));
        Thread.startVirtualThread(() -> resize(session));
        var output = Thread.startVirtualThread(() -> BytePipe.copy(session.stdout(), stdout));
        var errors = Thread.startVirtualThread(() -> BytePipe.copy(session.stderr(), stderr));
        try {
            var exit = session.await();
            output.join();
            errors.join();
            tell(exit.isEmpty() || exit.getAsInt() == 0 ? SUCCESS : failure(exit.getAsInt()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final Json.Obj SUCCESS = Json.Obj.of("metadata", Json.Obj.EMPTY, "status", Json.of("Success"));

    private static Json.Obj failure(int code) {
        var cause = Json.Obj.of("reason", Json.of("ExitCode"), "message", Json.of(Integer.toString(code)));
        return Json.Obj.builder()
                .put("metadata", Json.Obj.EMPTY)
                .put("status", "Failure")
                .put("message", "command terminated with non-zero exit code: exit status " + code)
                .put("reason", "NonZeroExitCode")
                .put("details", Json.Obj.of("causes", Json.Arr.of(cause)))
                .build();
    }

    private void tell(Json.Obj status) {
        try (error) {
            error.write(JsonText.bytes(status));
        } catch (IOException e) {
            // Nobody is there any more who could want to know.
        }
    }

    private void resize(PodAccess.Session session) {
        var text = new StringBuilder();
        try (resizes) {
            for (int next = resizes.read(); next >= 0 && text.length() < LONGEST_RESIZE; next = resizes.read()) {
                text.append((char) next);
                if (next == '}') {
                    apply(JsonText.parse(text.toString().strip().getBytes(StandardCharsets.UTF_8)), session);
                    text.setLength(0);
                }
            }
        } catch (IOException | JsonText.Malformed e) {
            // The terminal keeps the size it has.
        }
    }

    private static void apply(Json size, PodAccess.Session session) {
        if (size instanceof Json.Obj object) {
            long columns = object.integer("Width");
            long rows = object.integer("Height");
            if (columns > 0 && rows > 0 && columns <= 0xffff && rows <= 0xffff) {
                session.resize((int) columns, (int) rows);
            }
        }
    }
}
