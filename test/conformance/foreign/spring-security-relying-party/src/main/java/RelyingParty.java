import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The login of Spring Security as its starter configures it; the client is in application.yml. */
@Configuration
@EnableAutoConfiguration
@RestController
class RelyingParty {
  public static void main(String[] arguments) {
    SpringApplication.run(RelyingParty.class, arguments);
  }

  @GetMapping("/")
  Map<String, Object> user(@AuthenticationPrincipal OidcUser user) {
    return user.getClaims();
  }
}
