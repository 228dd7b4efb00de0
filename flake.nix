# Not tried: Nix does not run where this was written. If it fails for you, please open an issue with its output.
# There is no flake.lock yet, so nixpkgs is the newest of nixos-unstable until the first `nix flake lock`.
#
#   nix run github:vibe-index/vibe-index -- index .
#   nix profile install github:vibe-index/vibe-index
#   nix develop                                        # a shell with what `npm run check` needs
{
  description = "Ask your codebase in words, and read what every part of it is for";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      inherit (nixpkgs) lib;
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      forAllSystems = make: lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});

      # The lockfile names packages by version and digest, without addresses, so that it suits any registry.
      withAddress =
        path: module:
        let
          name = module.name or (lib.last (lib.splitString "node_modules/" path));
        in
        if module ? resolved || !(module ? integrity) then
          module
        else
          module
          // {
            resolved = "https://registry.npmjs.org/${name}/-/${baseNameOf name}-${module.version}.tgz";
          };
      lock = lib.importJSON ./package-lock.json;
      packageLock = lock // {
        packages = lib.mapAttrs withAddress lock.packages;
      };

      vibe =
        pkgs:
        pkgs.buildNpmPackage {
          pname = "vibe-index";
          inherit ((lib.importJSON ./package.json)) version;
          src = self;

          nodejs = pkgs.nodejs_24;
          # The digests are those of the lockfile: there is no other one to keep up to date.
          npmDeps = pkgs.importNpmLock {
            npmRoot = self;
            inherit packageLock;
          };
          npmConfigHook = pkgs.importNpmLock.npmConfigHook;

          nativeBuildInputs = [ pkgs.installShellFiles ];

          # Not by `npm run`, which would put the Node that the checkout brings first: it is not linked for Nix.
          buildPhase = ''
            runHook preBuild
            node tools/build.ts --release
            runHook postBuild
          '';
          npmPackFlags = [ "--ignore-scripts" ];
          npmPruneFlags = [ "--omit=peer" ];

          postInstall = ''
            installManPage dist/man/*.1
            installShellCompletion --cmd vibe \
              --bash dist/completions/vibe.bash --zsh dist/completions/_vibe --fish dist/completions/vibe.fish
          '';

          doInstallCheck = true;
          installCheckPhase = ''
            runHook preInstallCheck
            HOME=$TMPDIR $out/bin/vibe --version
            runHook postInstallCheck
          '';

          meta = {
            description = "Lets a language model explore a codebase, and keeps what every major symbol is for";
            homepage = "https://github.com/vibe-index/vibe-index";
            license = lib.licenses.mit;
            mainProgram = "vibe";
            platforms = systems;
          };
        };
    in
    {
      packages = forAllSystems (pkgs: {
        default = vibe pkgs;
      });

      devShells = forAllSystems (pkgs: {
        default = pkgs.mkShell {
          packages = [
            pkgs.nodejs_24
            pkgs.git
            # Tests that are skipped without them.
            pkgs.mandoc
            pkgs.groff
            pkgs.shellcheck
            pkgs.zsh
            pkgs.fish
          ];
        };
      });

      formatter = forAllSystems (pkgs: pkgs.nixfmt-rfc-style);
    };
}
