package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.User;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// Answers the questions "whose token is this?" and "who am I?". Nothing is stored.
public final class IdentityReviews {

    private static final String API_VERSION = "authentication.k8s.io/v1";

    private final ServiceAccountTokens serviceAccounts;
    private final Authenticator others;

    /// @param others recognise tokens that are good for the API itself only
    public IdentityReviews(ServiceAccountTokens serviceAccounts, Authenticator others) {
        this.serviceAccounts = serviceAccounts;
        this.others = others;
    }

    /// A TokenReview with its status. A token of another logical cluster is unknown here.
    public Json.Obj tokenReview(LogicalCluster cluster, Json.Obj review) {
        var token = review.string("spec", "token");
        if (token.isEmpty()) {
            throw StatusError.badRequest("token is required for TokenReview in authentication");
        }
        var asked = review.array("spec", "audiences").strings();
        var wanted = asked.isEmpty() ? serviceAccounts.audiences() : asked;
        return Json.Obj.builder()
                .put("kind", "TokenReview")
                .put("apiVersion", API_VERSION)
                .put("metadata", review.object("metadata"))
                .put("spec", review.object("spec"))
                .put("status", status(cluster, token, wanted))
                .build();
    }

    private Json.Obj status(LogicalCluster cluster, String token, List<String> wanted) {
        try {
            var account = serviceAccounts.verify(token, wanted);
            if (account.isPresent()) {
                return account.get().cluster().equals(cluster)
                        ? authenticated(account.get().user(), account.get().audiences())
                        : refused("");
            }
            var common = serviceAccounts.audiences().stream()
                    .filter(wanted::contains)
                    .toList();
            var identity = others.authenticate(new Authenticator.Credentials(List.of(), token));
            return identity.isPresent()
                            && !common.isEmpty()
                            && identity.get().cluster().map(cluster::equals).orElse(true)
                    ? authenticated(identity.get().user(), common)
                    : refused("");
        } catch (Jwt.Invalid e) {
            return refused(String.valueOf(e.getMessage()));
        } catch (StatusError e) {
            return refused("");
        }
    }

    private static Json.Obj authenticated(User user, List<String> audiences) {
        return Json.Obj.of(
                "authenticated", Json.of(true), "user", user.info(), "audiences", Json.Arr.ofStrings(audiences));
    }

    private static Json.Obj refused(String why) {
        var error = why.isEmpty() ? "invalid bearer token" : "[invalid bearer token, " + why + "]";
        return Json.Obj.of("user", Json.Obj.EMPTY, "error", Json.of(error));
    }

    /// A SelfSubjectReview with its status.
    public static Json.Obj selfSubjectReview(User user, Instant now) {
        return Json.Obj.builder()
                .put("kind", "SelfSubjectReview")
                .put("apiVersion", API_VERSION)
                .put(
                        "metadata",
                        Json.Obj.of(
                                "creationTimestamp",
                                Json.of(now.truncatedTo(ChronoUnit.SECONDS).toString())))
                .put("status", Json.Obj.of("userInfo", user.info()))
                .build();
    }
}
