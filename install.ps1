<#
.SYNOPSIS
Installs vibe as one executable, without Node and without administrator rights.
.DESCRIPTION
Downloads the executable and its checksum from the releases, compares the two, and puts it into
%LOCALAPPDATA%\Programs\vibe. Nothing is installed if anything is not as it should be.

    irm https://raw.githubusercontent.com/vibe-index/vibe-index/main/install.ps1 | iex

The environment variable VIBE_RELEASES replaces the address of the releases: below it are latest/download/FILE and
download/vVERSION/FILE.
.PARAMETER Version
The version to install, such as 0.2.0; by default the newest.
.PARAMETER Dir
The folder to install into.
#>
param(
  [string] $Version = 'latest',
  [string] $Dir = ''
)

$ErrorActionPreference = 'Stop'
# A progress bar makes the download in Windows PowerShell several times slower.
$ProgressPreference = 'SilentlyContinue'

function Install-Vibe {
  $number = $Version -replace '^v', ''
  if ($number -ne 'latest' -and $number -notmatch '^[0-9][0-9A-Za-z.-]*$') {
    throw "vibe: '$Version' is no version; write it like 0.2.0"
  }
  if ($env:OS -ne 'Windows_NT') { throw 'vibe: this is for Windows; elsewhere run install.sh' }
  # The second is set where a 32-bit PowerShell runs on a 64-bit Windows.
  $machine = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
  $architecture = switch ($machine) {
    'AMD64' { 'x64' }
    # Windows on ARM runs programs for x64.
    'ARM64' { 'x64' }
    default { throw "vibe: there is no executable for $machine; install Node, then: npm install --global vibe-index" }
  }
  $folder = if ($Dir) { $Dir } else { Join-Path $env:LOCALAPPDATA 'Programs\vibe' }
  $folder = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($folder)
  $file = "vibe-win32-$architecture.exe"
  $releases = if ($env:VIBE_RELEASES) { $env:VIBE_RELEASES } else { 'https://github.com/vibe-index/vibe-index/releases' }
  $address = if ($number -eq 'latest') { "$releases/latest/download" } else { "$releases/download/v$number" }

  # Windows PowerShell 5.1 on an older Windows begins with TLS 1.0.
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  New-Item -ItemType Directory -Force -Path $folder | Out-Null
  # In the folder itself, so that the last step is a rename.
  $fresh = Join-Path $folder ".vibe-install.$([Guid]::NewGuid().ToString('N'))"
  New-Item -ItemType Directory -Path $fresh | Out-Null
  try {
    Write-Host "Downloading $address/$file"
    $program = Join-Path $fresh 'vibe.exe'
    $sums = Join-Path $fresh 'SHA256SUMS'
    foreach ($each in @(@("$address/SHA256SUMS", $sums), @("$address/$file", $program))) {
      try { Invoke-WebRequest -UseBasicParsing -Uri $each[0] -OutFile $each[1] }
      catch { throw "vibe: could not download $($each[0]): $($_.Exception.Message)" }
    }
    $expected = Get-Content $sums | ForEach-Object {
      $checksum, $name = $_ -split '\s+\*?', 2
      if ($name -eq $file) { $checksum.ToLowerInvariant() }
    } | Select-Object -First 1
    if (-not $expected) { throw "vibe: SHA256SUMS has no line for $file; nothing was installed" }
    $actual = (Get-FileHash -Algorithm SHA256 -Path $program).Hash.ToLowerInvariant()
    if ($actual -ne $expected) { throw "vibe: the checksum of $file is $actual, not $expected; nothing was installed" }
    $installed = & $program --version
    if ($LASTEXITCODE -ne 0) { throw "vibe: $file does not run on this machine; nothing was installed" }
    $target = Join-Path $folder 'vibe.exe'
    # A program that runs cannot be replaced, but renamed.
    if (Test-Path $target) {
      $old = Join-Path $folder 'vibe.old.exe'
      Remove-Item -Force -ErrorAction SilentlyContinue $old
      Move-Item -Force $target $old
    }
    Move-Item -Force $program $target
    Write-Host "Installed vibe $installed as $target"
  }
  finally {
    Remove-Item -Recurse -Force -ErrorAction SilentlyContinue $fresh
  }

  if (($env:Path -split ';') -notcontains $folder) {
    Write-Host "Add $folder to your PATH: Settings > System > About > Advanced system settings > Environment Variables"
  }
}

Install-Vibe
