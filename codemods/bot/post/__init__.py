"""Reviews on GitHub and GitLab. The token comes from the environment and goes to the service, nowhere else."""
