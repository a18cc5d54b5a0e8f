import java.util.List;
import java.util.Set;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.server.authorization.config.annotation.web.configurers.OAuth2AuthorizationServerConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.util.matcher.MediaTypeRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/** Spring Authorization Server as its starter configures it; its clients are in application.yml. */
@Configuration
@EnableAutoConfiguration
class Provider {
  public static void main(String[] arguments) {
    SpringApplication.run(Provider.class, arguments);
  }

  /** Glue: the starter's chain for the protocol, with the profile's scopes in the discovery document. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  SecurityFilterChain protocol(HttpSecurity http) throws Exception {
    return http.with(
            OAuth2AuthorizationServerConfigurer.authorizationServer(),
            server -> {
              http.securityMatcher(server.getEndpointsMatcher());
              server.oidc(
                  oidc ->
                      oidc.providerConfigurationEndpoint(
                          endpoint ->
                              endpoint.providerConfigurationCustomizer(
                                  document ->
                                      List.of("profile", "email", "openid-vp-lear")
                                          .forEach(document::scope))));
            })
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
        .exceptionHandling(
            handling ->
                handling.defaultAuthenticationEntryPointFor(
                    new LoginUrlAuthenticationEntryPoint("/login"), pages()))
        .build();
  }

  private static RequestMatcher pages() {
    var pages = new MediaTypeRequestMatcher(MediaType.TEXT_HTML);
    pages.setIgnoredMediaTypes(Set.of(MediaType.ALL));
    return pages;
  }

  /** The starter's chain for everything else, with the default form to log in. */
  @Bean
  SecurityFilterChain rest(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .formLogin(Customizer.withDefaults())
        .build();
  }
}
